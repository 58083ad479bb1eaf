import { useState } from 'react';
import { useKeepOpen } from '../../../ui/dialog.tsx';
import { useImportContacts, usePreviewImport } from '../contact-lists.api.ts';
import { ImportFile } from './import-file.tsx';
import { ImportMapping } from './import-mapping.tsx';
import { ImportResult } from './import-result.tsx';

interface ImportStepsProps {
  listId: string;
  onClose: () => void;
}

/** A file, then what its columns mean, then what came of it. */
export function ImportSteps({ listId, onClose }: ImportStepsProps) {
  const look = usePreviewImport();
  const save = useImportContacts();
  useKeepOpen(look.isPending || save.isPending);
  const [progress, setProgress] = useState(0);
  const again = () => {
    look.reset();
    save.reset();
  };
  const pick = (from: File | string) => {
    setProgress(0);
    look.mutate({ from, onProgress: setProgress });
  };
  if (save.data) return <ImportResult report={save.data} onAgain={again} onClose={onClose} />;
  if (look.data) {
    const { key, preview } = look.data;
    return (
      <ImportMapping
        listId={listId}
        fileKey={key}
        preview={preview}
        order={save.mutate}
        isPending={save.isPending}
        error={save.error}
        onBack={again}
      />
    );
  }
  return (
    <ImportFile
      onPick={pick}
      progress={look.isPending ? progress : null}
      error={look.error}
      onClose={onClose}
    />
  );
}
