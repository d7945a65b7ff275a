// The schemas registered beside a policy, by URI: what a remote `$ref` may name.

import { Text } from "../memory/buffer";
import { Value } from "../json/value";
import { ENTRY_PAYLOAD, PropertyTable } from "./properties";

/** Documents in the order they were added. Texts and values must live as long as every schema compiled with them. */
@final
export class Documents {
  uris: Array<Text> = [];
  roots: Array<Value> = [];
  private byUri: PropertyTable = new PropertyTable();

  /** Adds the document found at `uri` (absolute; a trailing empty fragment is dropped). The first of two with one URI counts. */
  add(uri: Text, root: Value): void {
    let length = uri.length;
    if (length > 0 && load<u8>(uri.start + <usize>length - 1) == 0x23) length--;
    this.uris.push(new Text(uri.start, length));
    this.roots.push(root);
    const entry = this.byUri.add(uri.start, length);
    if (load<u32>(entry, ENTRY_PAYLOAD) == 0) store<u32>(entry, <u32>this.roots.length, ENTRY_PAYLOAD);
  }

  /** The index of the document at a URI without a fragment, or -1. */
  find(start: usize, length: i32): i32 {
    const entry = this.byUri.find(start, length);
    return entry == 0 ? -1 : <i32>load<u32>(entry, ENTRY_PAYLOAD) - 1;
  }
}
