// Starts the console in the page.
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import './style/base.css';
import './style/controls.css';
import './style/editor.css';
import './style/preview.css';

createRoot(document.getElementById('console')!).render(<App />);
