package io.kmodel.indexer.source.remote;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;

/**
 * Signs requests with the credentials that the AWS SDK finds: system properties, environment,
 * profiles, containers, instances. The SDK has no common exception for credentials and profiles
 * that it cannot read. The only class that loads the SDK, so a build without S3 does not. Safe for
 * many threads.
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

  /** The credentials of this process. */
  static S3.Credentials ofProcess(String region) {
    AwsCredentialsProvider provider = DefaultCredentialsProvider.builder().build();
    try {
      provider.resolveCredentials();
    } catch (RuntimeException e) {
      return new S3.Credentials(null, problemOfProfile());
    }
    return new S3.Credentials(new AwsSigner(provider, region), "");
  }

  /** Why the profile has no credentials: the one cause that the user's files decide. */
  private static String problemOfProfile() {
    try (ProfileCredentialsProvider profile = ProfileCredentialsProvider.create()) {
      profile.resolveCredentials();
      return "";
    } catch (RuntimeException e) {
      return problem(String.valueOf(e.getMessage()));
    }
  }

  /** A message of the SDK without the content of the profiles, which it appends. */
  static String problem(String message) {
    int file = message.indexOf(": ProfileFile(");
    return file < 0 ? message : message.substring(0, file);
  }

  /** The region in the profile; {@value #USUAL_REGION} without one. */
  static String regionOfProfile() {
    try {
      Region region = new AwsProfileRegionProvider().getRegion();
      return region == null ? USUAL_REGION : region.id();
    } catch (RuntimeException e) {
      return USUAL_REGION;
    }
  }

  @Override
  public Map<String, List<String>> sign(URI uri) throws IOException {
    AwsCredentials now = resolve();
    SdkHttpRequest request = SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(uri).build();
    Map<String, List<String>> headers =
        new TreeMap<>(
            signer
                .sign(
                    to ->
                        to.identity(now)
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

  /** The credentials, which the SDK renews if they expire. */
  private AwsCredentials resolve() throws IOException {
    try {
      return credentials.resolveCredentials();
    } catch (RuntimeException e) {
      // Not as the cause, whose message would be reported alone.
      IOException failure =
          new IOException("the AWS credentials cannot be renewed: " + e.getMessage());
      failure.addSuppressed(e);
      throw failure;
    }
  }
}
