import { documentTemplates, type GenerateInput } from '@heliograph/contract';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { downloadFile } from '../../ui/download-file.ts';

/** Makes a contract, which is stored, and starts its download. */
export const useDownloadContract = () =>
  useMutationOnce({
    async mutationFn(body: z.input<typeof GenerateInput>) {
      const { id } = await api(documentTemplates.generate, { body });
      await downloadFile(id);
    },
    meta: { invalidates: ['storage'], isInSteps: true, showsErrors: true },
  });
