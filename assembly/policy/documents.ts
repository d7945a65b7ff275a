// The schema documents registered beside a policy, as the compiled form names them: URI to digest.

import { writeString } from "../json/string";
import { Buffer, Text } from "../memory/buffer";

/** The digests of the documents registered beside a policy, by URI. */
@final
export class DocumentDigests {
  uris: Array<Text> = [];
  digests: Array<Text> = [];

  write(out: Buffer): void {
    out.byte(0x7b);
    for (let i = 0; i < this.uris.length; i++) {
      if (i != 0) out.byte(0x2c);
      writeString(this.uris[i].start, this.uris[i].length, out);
      out.ascii(':"');
      out.text(this.digests[i]);
      out.byte(0x22);
    }
    out.byte(0x7d);
  }
}
