/** Entry point of the viewer app. The page of a joining link starts without the rest of the app, so it loads fast. */
import '@vitrine/tokens/cover.css';
import '@vitrine/tokens/fonts.css';
import '@vitrine/tokens/tokens.css';
import './app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage } from '~/shared/language.ts';
import { preloadScreen } from './first-screen.ts';

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no root element.');
const root = createRoot(element);
const language = loadLanguage();

const wholeApp = async () => {
  const [{ start }] = await Promise.all([import('./start.tsx'), language]);
  start(root);
};

const joinCode = /^\/app\/join\/([^/]+)\/?$/.exec(window.location.pathname)?.[1];
if (joinCode === undefined) {
  preloadScreen(window.location.pathname);
  await wholeApp();
} else {
  const [{ FirstPage }] = await Promise.all([import('./first-page.tsx'), language]);
  root.render(
    <StrictMode>
      <FirstPage code={decodeURIComponent(joinCode)} onWholeApp={wholeApp} onReload={() => window.location.reload()} />
    </StrictMode>,
  );
}
