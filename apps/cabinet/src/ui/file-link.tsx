import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { downloadFile } from './download-file.ts';
import { useMutationOnce } from '../core/use-mutation-once.ts';

interface FileLinkProps extends AnchorProps {
  fileId: string;
  children: ReactNode;
}

/** Downloads a stored file. The link is made when it is pressed, so that none is left in the page to be copied or to expire. */
export function FileLink({ fileId, children, ...props }: FileLinkProps) {
  const { mutate, isPending } = useMutationOnce({ mutationFn: downloadFile });
  return (
    <Anchor
      {...props}
      component="button"
      type="button"
      aria-busy={isPending}
      onClick={() => mutate(fileId)}
    >
      {children}
    </Anchor>
  );
}
