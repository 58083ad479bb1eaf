import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { errorText } from '../../core/errors.ts';
import { useSession } from '../../core/session/use-session.ts';
import { IconAlertTriangle, IconInfo } from '../../ui/icons.ts';
import { parseMarkdown, type MarkdownNode } from '../../ui/markdown-parser.ts';
import { headingId, MarkdownView } from '../../ui/markdown-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CallBlock } from './call-block.tsx';
import { Contents } from './contents.tsx';
import { DocumentationError, pageQuery, sourceOf } from './documentation.api.ts';
import classes from './documentation.module.css';
import { offeredCalls } from './offered-calls.ts';

/** Specification, section 9. */
const BESIDE = '(min-width: 1381px)';

interface ArticleProps {
  category: string;
  file: string;
}

/** One page with its contents. */
export function Article({ category, file }: ArticleProps) {
  const { t, i18n } = useTranslation();
  const locale = i18n.language;
  // Said at the first failure, while it is asked for again.
  const { data, failureReason: error, refetch } = useQuery(pageQuery(locale, category, file));
  const document = useMemo(() => data && parseMarkdown(data.text), [data]);
  const calls = useMemo(() => offeredCalls(document?.nodes ?? []), [document]);
  const isBeside = useMediaQuery(BESIDE, false, { getInitialValueInEffect: false }) ?? false;
  const active = useActiveHeading(document);
  const isSignedIn = useSession().token !== null;
  const testToken = useRef('');
  useScrollToHeading(document);
  if (!data || !document) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <Loading />;
  }
  const written = data.locale || locale;
  const contents = <Contents headings={document.headings} active={active} isBeside={isBeside} />;
  return (
    <div className={classes.columns} data-beside={isBeside}>
      {/* Beside the text it comes behind it in the shell and before it where the page stands alone. */}
      {(!isSignedIn || !isBeside) && contents}
      <article className={classes.text} lang={written}>
        <PageHeader title={document.title} />
        {written !== locale && (
          <Alert mb="md" icon={<IconInfo size={18} aria-hidden />} lang={locale}>
            {t('documentation:otherLanguage')}
          </Alert>
        )}
        <MarkdownView
          nodes={document.nodes}
          source={sourceOf(locale, category, file)}
          around={({ token }: MarkdownNode, pane: ReactNode) => {
            const call = calls.get(token);
            return call ? (
              <CallBlock call={call} tokenRef={testToken}>
                {pane}
              </CallBlock>
            ) : (
              pane
            );
          }}
        />
      </article>
      {isSignedIn && isBeside && contents}
    </div>
  );
}

/** Scrolls to the heading of the address, also when the same link is followed again. */
function useScrollToHeading(document: unknown): void {
  const [params] = useSearchParams();
  const id = params.get('id');
  const { key } = useLocation();
  const isShown = useRef(false);
  useEffect(() => {
    if (!document) return;
    // The first view starts at the heading; only links within the page scroll.
    const isCalm = !isShown.current || matchMedia('(prefers-reduced-motion: reduce)').matches;
    isShown.current = true;
    if (!id) return;
    const heading = window.document.getElementById(headingId(id));
    heading?.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' });
    heading?.focus({ preventScroll: true });
  }, [document, id, key]);
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const isNoPage = error instanceof DocumentationError;
  return (
    <>
      <PageHeader title={t('documentation')} />
      <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
        <Text size="sm" mb="sm">
          {isNoPage ? t('documentation:failed') : errorText(t, error)}
        </Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      </Alert>
    </>
  );
}

function Loading() {
  return (
    <Stack aria-busy>
      <Skeleton height={36} width="40%" />
      <Skeleton height={200} />
      <Skeleton height={200} />
    </Stack>
  );
}

/** Between the sticky header and the middle of the window: the heading there is the one that is read. */
const READING_AREA = '-64px 0px -55% 0px';

/** The heading that is read, following the scrolling. `document` names the page: another one has other headings. */
function useActiveHeading(document: unknown): string | null {
  const [active, setActive] = useState<string | null>(null);
  useEffect(() => {
    const headings = [...window.document.querySelectorAll<HTMLElement>('[data-heading]')];
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) visible.add(target);
          else visible.delete(target);
        // In a long section no heading is visible: the last one above is the section's.
        const top = headings.find((heading) => visible.has(heading)) ?? lastAbove(headings);
        setActive(top?.dataset.heading ?? null);
      },
      { rootMargin: READING_AREA },
    );
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
  }, [document]);
  return active;
}

const lastAbove = (headings: HTMLElement[]) =>
  headings.findLast((heading) => heading.getBoundingClientRect().top < 64);
