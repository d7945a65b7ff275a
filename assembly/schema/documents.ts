// The schemas registered beside a policy, by URI: what a remote `$ref` may name.

import { Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { Value } from "../json/value";

/** Documents in the order they were added. Texts and values must live as long as every schema compiled with them. */
@final
export class Documents {
  uris: Array<Text> = [];
  roots: Array<Value> = [];

  /** Adds the document found at `uri` (absolute; a trailing empty fragment is dropped). The first of two with one URI counts. */
  add(uri: Text, root: Value): void {
    let length = uri.length;
    if (length > 0 && load<u8>(uri.start + <usize>length - 1) == 0x23) length--;
    this.uris.push(new Text(uri.start, length));
    this.roots.push(root);
  }

  /** The index of the document at a URI without a fragment, or -1. */
  find(start: usize, length: i32): i32 {
    for (let i = 0; i < this.uris.length; i++) {
      const uri = unchecked(this.uris[i]);
      if (equalBytes(uri.start, uri.length, start, length)) return i;
    }
    return -1;
  }
}
