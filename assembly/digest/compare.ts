// Comparing secrets: in a time that does not tell where they differ.

/** Whether two byte strings of the same length are equal. Every byte is looked at, whatever the first ones say. */
export function constantTimeEqual(a: usize, b: usize, length: i32): bool {
  let difference: u32 = 0;
  for (let i: usize = 0; i < <usize>length; i++) difference |= load<u8>(a + i) ^ load<u8>(b + i);
  return difference == 0;
}
