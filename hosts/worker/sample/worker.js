// A Worker of one's own: the package's host, with the policy as a text module, so that policy and code are deployed as one.
import { interlockWorker, SessionHeads } from "interlock/worker";
import policy from "./policy.txt";

export { SessionHeads };

export default interlockWorker({ INTERLOCK_POLICY: policy });
