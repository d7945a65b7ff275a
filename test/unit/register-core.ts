// The core as registration needs it, for the tests of registration.
export { policyJudge as core } from 'interlock';
