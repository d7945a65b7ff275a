// Vitest's global set-up for the suites that test one room of the core: its module is built.
import { buildRooms } from "./rooms.mjs";

export default async function setup(): Promise<void> {
  await buildRooms();
}
