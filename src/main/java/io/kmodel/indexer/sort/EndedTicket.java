package io.kmodel.indexer.sort;

/** The ticket of a job that the submitting thread has already done. */
record EndedTicket(OrderedKeys keys) implements KeyOrder.Ticket {
  @Override
  public OrderedKeys await() {
    return keys;
  }

  @Override
  public void settle() {}
}
