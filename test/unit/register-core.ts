// The core as registration needs it, for the tests of registration: the model's registration behind the binding's face.
import type { RegisteringCore } from '../../bindings/register/register.ts';
import { type Json, read } from '../model/json.ts';
import { PolicyInvalid, register } from '../model/policy.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

export const core: RegisteringCore = {
  register(text, documents) {
    try {
      const { policy, warnings, partial } = register(read(bytes(text)), documents ? (read(bytes(documents)) as Map<string, Json>) : null);
      return { policy: policy.id, warnings, partial };
    } catch (error) {
      if (error instanceof PolicyInvalid) return { problems: error.problems };
      throw error;
    }
  },
};
