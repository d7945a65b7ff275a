// Every bit of every byte of a signed history flipped: the history is refused, or nothing that counts has changed.

import { it } from "vitest";
import { flipEveryByte } from "../differential/tamper.ts";

const ALL = [0, 1, 2, 3, 4, 5, 6, 7];

it("sees every flipped bit of a history signed by HMAC", { timeout: 3_600_000 }, () => flipEveryByte("hmac", () => ALL));

it("sees every flipped bit of a history signed by Ed25519", { timeout: 3_600_000 }, () => flipEveryByte("ed25519", () => ALL));
