import type { Template } from '@heliograph/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { isAway } from '../../../../core/errors.ts';
import { showError } from '../../../../core/toast.tsx';
import { templateQuery } from '../../../templates/templates.api.ts';
import { useSendForm } from '../form/form-context.ts';
import { saysTheSame, withTemplate } from '../form/from-template.ts';
import type { SendValues } from '../form/send-values.ts';

export interface Applied {
  /** The template in the URL, as long as the message says what it says. */
  template: Template | null;
  choose: (template: Template | null) => void;
  /** The template that was asked for and may not be sent from. */
  unusable: Template | null;
  /** Puts back what stood there before; null when there is nothing to put back. */
  undo: (() => void) | null;
}

/** `/send/:template` brings a template into the form; a message that differs lets go of it. */
export function useTemplate(): Applied {
  const form = useSendForm();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { template: id = '' } = useParams();
  const { data, error } = useQuery({ ...templateQuery(id), enabled: !!id, retry: false });
  const [unusable, setUnusable] = useState<Template | null>(null);
  const [before, setBefore] = useState<{ id: string; values: SendValues } | null>(null);
  const applied = useRef<{ id: string; from: SendValues } | null>(null);
  // Letting go takes a navigation, and is done once.
  const left = useRef('');
  const choose = useCallback(
    (next: Template | null) => {
      const { search } = location;
      if (next) setUnusable(null);
      // What the list has shown is there at once: nothing can be written in between.
      if (next) client.setQueryData(templateQuery(next.id).queryKey, next);
      void navigate(
        { pathname: next ? `/send/${next.id}` : '/send', search },
        { replace: true, preventScrollReset: true, state: { keepsFocus: true } },
      );
    },
    [client, navigate],
  );
  const { values } = form;

  useEffect(() => {
    if (!id) {
      applied.current = null;
      left.current = '';
    } else if (left.current === id) {
      return;
    } else if (error && !data && !isAway(error)) {
      left.current = id;
      showError(error);
      choose(null);
    } else if (data && applied.current?.id !== id && !isUsable(data)) {
      left.current = id;
      setUnusable(data);
      choose(null);
    } else if (data && applied.current?.id !== id) {
      applied.current = { id, from: values };
      setBefore({ id, values });
      form.clearErrors();
      form.setValues(withTemplate(values, data));
    } else if (data && applied.current?.from !== values && !saysTheSame(values, data)) {
      left.current = id;
      choose(null);
    }
  }, [id, data, error, values, form, choose]);

  const isApplied = !!id && before?.id === id;
  return {
    template: isApplied && data ? data : null,
    choose,
    unusable,
    undo: isApplied
      ? () => {
          choose(null);
          form.setValues(before.values);
        }
      : null,
  };
}

/** What was rejected or set aside is not sent from; the server says the same of it. */
export const isUsable = ({ moderation, isActive }: Template): boolean =>
  isActive && moderation !== 'rejected';
