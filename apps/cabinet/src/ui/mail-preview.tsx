import { formattedHtml } from '@heliograph/domain/formatted-text';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './mail-preview.module.css';

const MIN_HEIGHT = 80;
const MAX_HEIGHT = 600;

/** An e-mail in Markdown as its recipient sees it: a document of its own, without scripts and without a way out. */
export function MailPreview({ text }: { text: string }) {
  const { t } = useTranslation();
  const [height, setHeight] = useState(MIN_HEIGHT);
  return (
    <iframe
      className={classes.mail}
      title={t('format.preview')}
      sandbox="allow-same-origin"
      srcDoc={formattedHtml(text)}
      style={{ height }}
      onLoad={({ currentTarget }) => {
        const content = currentTarget.contentDocument?.documentElement.scrollHeight ?? 0;
        setHeight(Math.min(Math.max(content, MIN_HEIGHT), MAX_HEIGHT));
      }}
    />
  );
}
