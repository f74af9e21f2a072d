package io.kmodel.indexer.source.remote;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;

/**
 * Signs requests with the credentials that the AWS SDK finds: system properties, environment,
 * profiles, containers, instances. The only class that loads the SDK, so a build without S3 does
 * not. Safe for many threads.
 */
final class AwsSigner implements S3.Signer {
  private static final String USUAL_REGION = "us-east-1";
  private static final String HOST = "host";

  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final AwsCredentialsProvider credentials;
  private final String region;

  AwsSigner(AwsCredentialsProvider credentials, String region) {
    this.credentials = credentials;
    this.region = region;
  }

  /** A signer with the credentials of this process; null if it has none. */
  static @Nullable AwsSigner ofProcess(String region) {
    AwsCredentialsProvider provider = DefaultCredentialsProvider.builder().build();
    try {
      provider.resolveCredentials();
    } catch (SdkClientException e) {
      return null;
    }
    return new AwsSigner(provider, region);
  }

  /** The region in the profile; {@value #USUAL_REGION} without one. */
  static String regionOfProfile() {
    try {
      Region region = new AwsProfileRegionProvider().getRegion();
      return region == null ? USUAL_REGION : region.id();
    } catch (SdkClientException e) {
      return USUAL_REGION;
    }
  }

  @Override
  public Map<String, List<String>> sign(URI uri) {
    SdkHttpRequest request = SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(uri).build();
    Map<String, List<String>> headers =
        new TreeMap<>(
            signer
                .sign(
                    to ->
                        to.identity(credentials.resolveCredentials())
                            .request(request)
                            .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                            .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                            .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                            .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
                .request()
                .headers());
    // The client sends it from the address.
    headers.keySet().removeIf(name -> name.equalsIgnoreCase(HOST));
    return headers;
  }
}
