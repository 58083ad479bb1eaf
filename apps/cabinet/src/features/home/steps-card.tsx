import { Anchor, Button, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { cx } from '../../ui/cx.ts';
import { IconCheck, IconCircle } from '../../ui/icons.ts';
import { Card } from './card.tsx';
import classes from './home.module.css';

export interface ShownStep {
  key: string;
  text: string;
  isDone: boolean;
  /** Where it is done; none if it is not done in the cabinet. */
  to?: string;
  /** What is missing. */
  hint?: string | false;
}

interface StepsCardProps {
  title: string;
  steps: ShownStep[];
  onHide: () => void;
}

/** What is done and what is to do. */
export function StepsCard({ title, steps, onHide }: StepsCardProps) {
  const { t } = useTranslation();
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title={title}
      aside={
        <Button variant="subtle" size="compact-sm" onClick={onHide}>
          {t('home:steps.hide')}
        </Button>
      }
    >
      <Progress value={(done / steps.length) * 100} aria-label={title} mb="sm" />
      <ul className={cx(classes.list, classes.steps)}>
        {steps.map((step) => (
          <StepLine key={step.key} step={step} />
        ))}
      </ul>
    </Card>
  );
}

function StepLine({ step: { text, isDone, to, hint } }: { step: ShownStep }) {
  const { t } = useTranslation();
  const Mark = isDone ? IconCheck : IconCircle;
  return (
    <li className={classes.line}>
      <Mark size={18} aria-hidden color={isDone ? 'var(--app-green-text)' : undefined} />
      <div>
        {isDone || !to ? (
          <Text span size="sm" c={isDone ? 'dimmed' : undefined}>
            {text}
            {isDone && <span className="visually-hidden"> {t('home:steps.done')}</span>}
          </Text>
        ) : (
          <Anchor component={Link} to={to} size="sm">
            {text}
          </Anchor>
        )}
        {!isDone && hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
    </li>
  );
}
