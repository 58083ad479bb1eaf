import type { DocumentType, TemplateBlock } from '@heliograph/domain';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconEye } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { usePreview } from './document-templates.api.ts';

const PdfPreview = later(async () => (await import('../storage/pdf-section.tsx')).PdfPreview);

interface TemplatePreviewProps {
  type: DocumentType;
  CompanyId: string | null;
  /** The blocks as they are now; null if they are wrong, which the form then shows. */
  blocks: () => TemplateBlock[] | null;
}

/** The document that the template makes of sample data, as it is now, also before it is saved. */
export function TemplatePreview({ type, CompanyId, blocks }: TemplatePreviewProps) {
  const { t } = useTranslation();
  const [documentId, setDocumentId] = useState<string | null>(null);
  const { mutate, isPending } = usePreview();
  const preview = () => {
    const current = blocks();
    if (!CompanyId || !current) return;
    const done = (made: { documentId: string }) => setDocumentId(made.documentId);
    mutate({ type, CompanyId, blocks: current }, { onSuccess: done });
  };
  return (
    <section
      aria-labelledby="preview-title"
      style={{ position: 'sticky', top: 72, alignSelf: 'start' }}
    >
      <Stack align="stretch">
        <Title order={2} size="h4" id="preview-title">
          {t('documentTemplates:preview')}
        </Title>
        <Text size="sm" c="dimmed">
          {t(CompanyId ? 'documentTemplates:previewHint' : 'documentTemplates:previewCompany')}
        </Text>
        <div>
          <Button
            variant="default"
            leftSection={<IconEye size={16} aria-hidden />}
            loading={isPending}
            disabled={!CompanyId}
            onClick={preview}
          >
            {t(documentId ? 'documentTemplates:previewAgain' : 'documentTemplates:previewShow')}
          </Button>
        </div>
        {documentId && (
          <div>
            <PdfPreview
              key={documentId}
              file={{ id: documentId, title: t('documentTemplates:preview') }}
            />
          </div>
        )}
      </Stack>
    </section>
  );
}
