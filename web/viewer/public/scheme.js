// Sets the colour scheme before the first paint; a file of its own, as inline scripts are not allowed.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('vitrine.viewer.scheme');
  } catch {
    // No storage: the default holds.
  }
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
