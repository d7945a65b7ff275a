// The core as registration needs it, for the tests of registration.
import { Core } from '../../hosts/cli/core.ts';
import { newDriver } from './cli-driver.ts';

export const core = new Core(newDriver());
