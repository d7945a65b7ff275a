// Tools whose server lists them otherwise than they were approved: held until a person has seen the difference.
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { visible } from '../package.ts';
import type { Api, Listing } from './api.ts';
import { useAct } from './use-inbox.ts';

interface Props { api: Api; listings: readonly Listing[]; done: (said: string) => void }

export function HeldListings({ api, listings, done }: Props): ReactNode {
  if (listings.length === 0) return <p className="says">Every tool is as it was approved.</p>;
  return <ul className="held" aria-label="Changed tools">{listings.map((listing) => <Held key={listing.tool} api={api} listing={listing} done={done} />)}</ul>;
}

function Held({ api, listing, done }: { api: Api; listing: Listing; done: (said: string) => void }): ReactNode {
  const { tool, server, pending, changes = [] } = listing;
  const approve = useAct((digest: string) => api.approveListing(tool, digest), () => done(`${tool} is offered again.`));
  return (
    <li className="block">
      <h3>{visible(tool)} <span className="says">of {visible(server)}</span></h3>
      <table className="values">
        <thead><tr><th scope="col">Member</th><th scope="col">Approved</th><th scope="col">Now</th></tr></thead>
        <tbody>{changes.map(({ pointer, before, after }) => (
          <tr key={pointer}><th scope="row">{visible(pointer)}</th><td><code className="breaks">{before === null ? 'not there' : visible(before)}</code></td><td><code className="breaks">{after === null ? 'not there' : visible(after)}</code></td></tr>
        ))}</tbody>
      </table>
      {approve.error !== null && <p role="alert" className="wrong">{approve.error.message}</p>}
      <Button className="button strong end" isDisabled={approve.isPending} onPress={() => approve.mutate(pending!.digest)} aria-label={`Approve the new listing of ${tool}`}>Approve the new listing</Button>
    </li>
  );
}
