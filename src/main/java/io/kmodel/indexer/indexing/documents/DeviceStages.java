package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.InvertedFields;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.inversion.NoDeviceException;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Opens the devices of a build, for one of two uses.
 *
 * @param sorting opens those that sort; throws an IllegalArgumentException if one that was asked
 *     for is missing
 * @param inversion opens those that invert
 * @param none sorts without any, for a reason that the report gives
 */
public record DeviceStages(
    Supplier<SortStage> sorting, Inversion inversion, Function<String, SortStage> none) {
  /** Opens devices that invert. */
  @FunctionalInterface
  public interface Inversion {
    /**
     * Opens them for these fields, blocks and results; the same as {@link InversionStage#open}.
     *
     * @throws NoDeviceException if no device can be used
     */
    InversionStage open(Schema schema, InvertedFields fields, int blockBytes, ListForm form)
        throws NoDeviceException;
  }

  /** The devices that the user has chosen. */
  public static DeviceStages of(Resources resources) {
    return new DeviceStages(
        () -> SortStages.open(resources.device()),
        (schema, fields, blockBytes, form) ->
            InversionStage.open(resources.device(), schema, fields, blockBytes, form),
        SortStages::onlyCpu);
  }

  /** The same devices for inversion, and others to sort with, also where none would be used. */
  public DeviceStages withSorting(Supplier<SortStage> chosen) {
    return new DeviceStages(chosen, inversion, reason -> chosen.get());
  }

  /** The same devices to sort with, and others for inversion. */
  public DeviceStages withInversion(Inversion chosen) {
    return new DeviceStages(sorting, chosen, none);
  }
}
