// What a start would refuse although the settings are right themselves: key sets that cannot sign, policies that cannot be in force. Starts nothing.
import { InterlockError, policyJudge } from "interlock";
import { type Problem, problemOf, register } from "interlock/register";
import type { Settings, TenantSettings } from "../config/settings.ts";
import { readKeySets } from "../key-sets.ts";
import { forced, load } from "../policies/in-force.ts";

/**
 * The problems of each tenant's key set and policy, errors alone. A policy that imports a server's tools live cannot be judged without that server, which is
 * not started: a warning says so. Codes: keys_invalid, tenant_mismatch, policy_unchecked, and those of registration and of the core.
 */
export async function checkTenants({ tenants }: Pick<Settings, "tenants">): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  for (const tenant of Object.values(tenants)) {
    const { keys, problem } = await keysOf(tenant);
    if (problem !== null) found.push(problem);
    found.push(...(await ofPolicy(tenant, keys)));
  }
  return found;
}

async function keysOf(tenant: TenantSettings): Promise<{ readonly keys: string | null; readonly problem: Problem | null }> {
  try {
    return { keys: (await readKeySets({ tenants: { [tenant.name]: tenant } })).get(tenant.name)!.text, problem: null };
  } catch (error) {
    return { keys: null, problem: problemOf(tenant.keys, { code: "keys_invalid", message: `${(error as Error).message}.` }) };
  }
}

async function ofPolicy({ name, policy: file, keys: keysFile }: TenantSettings, keys: string | null): Promise<readonly Problem[]> {
  const { problems, policy, documents } = await register(file, policyJudge, { live: false });
  if (problems.some(({ code }) => code === "mcp_server")) {
    return [problemOf(file, { code: "policy_unchecked", severity: "warning", message: "The policy imports the tools of a server, which is not started here: it was not judged.", hint: "`interlock lint` starts the server, and judges it." })];
  }
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0 || policy === null || keys === null) return errors;
  try {
    const { client } = load(JSON.stringify({ ...forced(policy as Record<string, unknown>), ...(Object.keys(documents).length === 0 ? {} : { documents }) }), keys);
    const { tenant } = JSON.parse(client.compiled) as { tenant: string };
    if (tenant === name) return [];
    return [problemOf(file, { code: "tenant_mismatch", message: `The policy is of the tenant ${JSON.stringify(tenant)}, and the gateway's tenant is ${JSON.stringify(name)}.`, hint: "Write the same name in both." })];
  } catch (error) {
    if (!(error instanceof InterlockError)) throw error;
    return [problemOf(error.code.startsWith("keys_") ? keysFile : file, { code: error.code, message: `${error.message}.` })];
  }
}
