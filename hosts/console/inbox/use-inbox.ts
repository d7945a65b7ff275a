// The inbox's state: what is open and what was decided, kept fresh by the gateway's events and, should they fail, by asking again.
import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Api, type ApiError, type Approval, type Listing } from './api.ts';

const KEY = 'interlock.key';
/** Between two times of asking while no event comes, in milliseconds. */
const AGAIN = 15_000;

export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchInterval: AGAIN }, mutations: { retry: false } } });

/** The key a person signed in with; kept for this tab alone. */
export function useKey(): [string | null, (key: string | null) => void] {
  const [key, setKey] = useState<string | null>(() => kept());
  return [key, (next) => {
    setKey(next);
    queries.clear();
    try {
      if (next === null) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, next);
    } catch {
      // A browser that keeps nothing asks again after a reload.
    }
  }];
}

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export interface Inbox {
  api: Api;
  open: readonly Approval[];
  decided: readonly Approval[];
  listings: readonly Listing[];
  observed: boolean;
  error: ApiError | null;
  loading: boolean;
  /** Whether events come: else the page asks every few seconds. */
  live: boolean;
}

/** Everything the inbox shows, for one key. */
export function useInbox(key: string): Inbox {
  const [api] = useState(() => new Api(key));
  const client = useQueryClient();
  const live = useEvents(api, () => { void client.invalidateQueries(); });
  const approvals = useQuery({ queryKey: ['approvals'], queryFn: () => api.approvals() });
  const listings = useQuery({ queryKey: ['listings'], queryFn: () => api.listings() });
  const health = useQuery({ queryKey: ['health'], queryFn: () => api.health() });
  const all = approvals.data ?? [];
  return {
    api,
    open: all.filter(({ state }) => state === 'open').sort((one, other) => one.askedAt - other.askedAt),
    decided: all.filter(({ state }) => state !== 'open').sort((one, other) => (other.decidedAt ?? other.expiresAt) - (one.decidedAt ?? one.expiresAt)),
    listings: (listings.data ?? []).filter(({ pending }) => pending !== null),
    observed: Object.values(health.data?.tenants ?? {}).some(({ mode }) => mode === 'observe'),
    error: approvals.error as ApiError | null,
    loading: approvals.isPending,
    live,
  };
}

/** Listens until the page goes; starts again a little later where the stream ends. */
function useEvents(api: Api, told: () => void): boolean {
  const [live, setLive] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told is the same for as long as the key is
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const listen = async () => {
      try {
        setLive(true);
        await api.events(told, ending.signal);
      } catch {
        // Told below: the page asks by itself until the next try.
      }
      if (ending.signal.aborted) return;
      setLive(false);
      timer = setTimeout(() => { void listen(); }, 3000);
    };
    void listen();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [api]);
  return live;
}

/** One act on the inbox: what it does, whether it is being done, and what the gateway refused of it. */
export function useAct<T>(work: (given: T) => Promise<unknown>, done: () => void) {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, T>({ mutationFn: work, onSuccess: done, onSettled: () => client.invalidateQueries() });
}
