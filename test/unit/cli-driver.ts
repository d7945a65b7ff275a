// The core for the tests of registration and of the command line: a conformance driver of the built package.
import { type LineDriver, lineDriver } from 'interlock';

/** A core of its own. */
export async function testDriver(): Promise<LineDriver> {
  return lineDriver();
}
