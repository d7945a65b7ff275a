// Starts the console in the page.
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import './style/base.css';
import './style/controls.css';
import './style/editor.css';
import './style/preview.css';
import './style/inbox.css';

const place = document.getElementById('console')!;

/** What nothing on the page could catch (a browser without WebAssembly, say) is told in its place: an empty page would say nothing. */
function fallen(error: unknown): void {
  console.error(error);
  const told = document.createElement('p');
  told.className = 'pane';
  told.setAttribute('role', 'alert');
  told.textContent = `The console cannot go on: ${error instanceof Error ? error.message : String(error)}. It decides in your browser, and needs JavaScript and WebAssembly for it.`;
  setTimeout(() => place.replaceChildren(told));
}

createRoot(place, { onUncaughtError: fallen }).render(<App />);
