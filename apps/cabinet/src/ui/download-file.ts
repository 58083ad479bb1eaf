import { storage } from '@heliograph/contract';
import { api } from '../core/api.ts';

/** Starts the download of a stored file. */
export async function downloadFile(id: string): Promise<void> {
  const { url } = await api(storage.ticket, { params: { id } });
  const link = document.createElement('a');
  link.href = url;
  // The server names the file. With the attribute a refusal does not replace the page.
  link.download = '';
  link.click();
}
