import type { SignupForm } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';
import { useCreateButton } from '../../../list/create-button.tsx';
import { timeColumn } from '../../../list/grid/columns.tsx';
import type { GridColumn } from '../../../list/grid/grid-column.ts';
import { ListPage } from '../../../list/list-page.tsx';
import { useListPage } from '../../../list/state/use-list-page.ts';
import type { Removal } from '../../../list/use-removal.tsx';
import { IconChecks, IconContacts, IconPause } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { ContactTabs } from '../contact-tabs.tsx';
import { signupFormSpec, useRemoveSignupForm } from './signup-forms.api.ts';

const SignupFormDialog = later(
  async () => (await import('./signup-form-dialog.tsx')).SignupFormDialog,
);

const REMOVAL: Removal<SignupForm> = {
  can: ['signupForms.remove'],
  useChange: useRemoveSignupForm,
  words: (t, { title }) => ({
    question: t('signupForms:removeQuestion', { title }),
    action: t('signupForms:remove', { title }),
    text: t('signupForms:removeText'),
  }),
};

/** Forms by which people enter lists, each with the number of those who were asked and who have confirmed. */
export function SignupFormsPage() {
  const { t } = useTranslation();
  const page = useListPage(signupFormSpec);
  const columns = useSignupFormColumns();
  const create = useCreateButton(t('signupForms:create'), 'signupForms.create');
  return (
    <ListPage
      page={page}
      title={t('signupForms:title')}
      intro={<ContactTabs />}
      fields={[
        { kind: 'search', label: t('signupForms:search') },
        { kind: 'owner', label: t('contactLists:owner') },
      ]}
      create={create}
      columns={columns}
      removal={REMOVAL}
      empty={{
        icon: IconContacts,
        title: t('signupForms:empty.title'),
        text: t('signupForms:empty.text'),
      }}
    >
      <SignupFormDialog />
    </ListPage>
  );
}

const ON = { color: 'green', icon: IconChecks };
const OFF = { color: 'orange', icon: IconPause };
const stateOf = ({ isActive, ListId }: SignupForm) =>
  !ListId ? 'listless' : isActive ? 'active' : 'off';

function useSignupFormColumns(): GridColumn<SignupForm>[] {
  const { t } = useTranslation();
  const { number, percent } = useFormats();
  return useMemo(
    (): GridColumn<SignupForm>[] => [
      {
        id: 'title',
        header: t('signupForms:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('signupForms:stateLabel'),
        cell: (row) => (
          <StatusBadge
            appearance={stateOf(row) === 'active' ? ON : OFF}
            label={t(`signupForms:state.${stateOf(row)}`)}
          />
        ),
        width: 170,
        card: 'end',
      },
      {
        id: 'type',
        header: t('signupForms:type'),
        cell: (row) => t(`common:type.${row.type}`),
        width: 110,
        hideBelow: 'md',
      },
      {
        id: 'asked',
        header: t('signupForms:asked'),
        cell: (row) => number(row.asked),
        width: 110,
        align: 'end',
      },
      {
        id: 'confirmed',
        header: t('signupForms:confirmed'),
        cell: (row) =>
          row.asked
            ? `${number(row.confirmed)} (${percent(row.confirmed / row.asked)})`
            : number(row.confirmed),
        width: 150,
        align: 'end',
      },
      timeColumn('createdAt', t('signupForms:created'), { width: 150, hideBelow: 'lg' }),
    ],
    [t, number, percent],
  );
}
