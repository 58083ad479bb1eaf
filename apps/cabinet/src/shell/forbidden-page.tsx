import { PERMISSIONS, type Permission } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Empty } from '../ui/empty.tsx';
import { IconBan } from '../ui/icons.ts';
import { actionText, nounOf, nounText } from '../features/tokens/permission-words.ts';
import { PageHeader } from '../ui/page-header.tsx';

export function ForbiddenPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const need = params.get('need') ?? '';
  const isKnown = Object.hasOwn(PERMISSIONS, need);
  return (
    <>
      <PageHeader title={t('shell:forbidden.title')} />
      <Empty
        icon={IconBan}
        color="var(--mantine-color-error)"
        title={t('errors:code.forbidden')}
        text={
          <>
            {t('shell:forbidden.info')} {t('shell:forbidden.text')}
            {isKnown && (
              <Text component="span" display="block" size="sm" mt="xs">
                {t('shell:forbidden.need')}{' '}
                <b>
                  {t('common:labelled', {
                    label: nounText(t, nounOf(need)),
                    value: actionText(t, need as Permission),
                  })}
                </b>
              </Text>
            )}
          </>
        }
      >
        <Button component={Link} to="/">
          {t('shell:forbidden.home')}
        </Button>
      </Empty>
    </>
  );
}
