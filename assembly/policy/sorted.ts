// A list in order: a stable merge sort, so that a hostile policy costs no more than n log n.

/** A sorted copy of a list, in the current region; equal items keep their order. */
export function sorted<T>(list: Array<T>, compare: (a: T, b: T) => i32): Array<T> {
  let from = list.slice(0);
  let to = list.slice(0);
  for (let width = 1; width < list.length; width *= 2) {
    for (let start = 0; start < list.length; start += 2 * width) {
      const middle = min(start + width, list.length);
      const end = min(middle + width, list.length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        if (left < middle && (right == end || compare(from[left], from[right]) <= 0)) to[at] = from[left++];
        else to[at] = from[right++];
      }
    }
    const done = to;
    to = from;
    from = done;
  }
  return from;
}
