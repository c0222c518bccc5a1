/** How long a browser may take to begin reading the file, in ms. */
const READING = 60_000;

/** Starts a browser download of the file. */
export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READING);
}
