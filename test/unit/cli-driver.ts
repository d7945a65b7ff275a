// The core for the command line's tests: the model's driver.
import type { LineDriver } from '../../hosts/cli/core.ts';
import { Driver } from '../model/driver.ts';

export async function testDriver(): Promise<LineDriver> {
  return new Driver();
}
