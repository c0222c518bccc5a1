// Sets the color scheme before the first paint. A separate file, because the CSP does not allow inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('vitrine.viewer.scheme');
  } catch {
    // Storage is blocked; use the default.
  }
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
