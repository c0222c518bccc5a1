/** Copies text to the clipboard. */

/** Rejects if the browser does not allow it. Works on plain http too, where browsers have no clipboard API. */
export async function copyText(text: string): Promise<void> {
  // Absent outside secure contexts, whatever its type says.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the dialog, if there is one: it keeps the focus to itself.
  (focused?.parentElement ?? document.body).append(area);
  area.focus();
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error('The browser did not copy the text.');
}
