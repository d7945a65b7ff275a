// Every byte of a signed history flipped in one of its bits: the history is refused, or nothing that counts has changed. (All bits: the slow suite.)

import { it } from "vitest";
import { flipEveryByte } from "./tamper.ts";

it("sees a flipped byte of a history signed by HMAC", { timeout: 120_000 }, () => flipEveryByte("hmac", (at) => [(at * 3 + 2) % 8]));

it("sees a flipped byte of a history signed by Ed25519", { timeout: 120_000 }, () => flipEveryByte("ed25519", (at) => (at % 4 === 0 ? [(at + 2) % 8] : [])));
