import { useState } from 'react';
import { useKeepOpen } from '../../../ui/dialog.tsx';
import { useImportContacts, usePreviewImport, type Picked } from '../contact-lists.api.ts';
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
  const [opened, setOpened] = useState<typeof look.data>();
  const again = () => {
    setOpened(undefined);
    look.reset();
    save.reset();
  };
  const pick = (from: Picked['from'], sheet?: string) => {
    setProgress(0);
    save.reset();
    look.mutate({ from, sheet, onProgress: setProgress }, { onSuccess: setOpened });
  };
  if (save.data) return <ImportResult report={save.data} onAgain={again} onClose={onClose} />;
  if (opened) {
    const { key, preview } = opened;
    return (
      <ImportMapping
        key={preview.sheet}
        listId={listId}
        fileKey={key}
        preview={preview}
        order={save.mutate}
        isPending={save.isPending}
        error={save.error ?? look.error}
        onSheet={(sheet) => pick(key, sheet)}
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
