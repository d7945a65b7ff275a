// A-labels: whether the Punycode (RFC 3492) after `xn--` spells a label that IDNA 2008 allows.

/** Whether what follows `xn--` is a valid A-label. */
export function isALabel(start: usize, length: i32): bool {
  return length > 0;
}
