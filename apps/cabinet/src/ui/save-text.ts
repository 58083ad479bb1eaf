/** Some browsers read the address of a download only after the click. */
const READ_MS = 60_000;

/** Saves a text as a file. */
export function saveText(filename: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
