package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.KeySorterContract;

/** The main class of a process that sorts with the vectors its Java was started with. */
final class VectorWidthCheck {
  private VectorWidthCheck() {}

  public static void main(String[] arguments) {
    VectorSupport vectors = VectorSupport.probe();
    System.out.println(vectors.reason());
    if (!vectors.isUsable()) {
      try {
        KeySorter sorter = new SimdMergeSorter();
        throw new AssertionError(sorter + " was made without vectors");
      } catch (UnsupportedOperationException e) {
        System.out.println("refused: " + e.getMessage());
        return;
      }
    }
    System.out.println("lanes " + BitonicMerge.LANES);
    BitonicMergeTest networks = new BitonicMergeTest();
    networks.everyColumnOfZerosAndOnesIsSorted();
    networks.everyTwoRunsOfZerosAndOnesAreMergedInATile();
    networks.everyTwoStridesOfZerosAndOnesAreMerged();
    for (KeySorterContract.Distribution distribution : KeySorterContract.Distribution.values()) {
      KeySorterContract.checkAllSizes(new SimdMergeSorter(), distribution);
    }
    System.out.println("all sorted");
  }
}
