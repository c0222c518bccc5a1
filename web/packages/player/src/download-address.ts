/** Returns the address under which the server offers the file of a playback address as a download, with its name. */
export function downloadAddress(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}download=1`;
}
