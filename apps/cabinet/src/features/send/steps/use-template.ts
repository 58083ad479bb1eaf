import type { Template, TemplateRow } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { isAway } from '../../../core/errors.ts';
import { showError } from '../../../core/toast.tsx';
import { wholeTemplateQuery } from '../../templates/templates.api.ts';
import { useSendForm } from '../form/form-context.ts';
import { isUsable, saysTheSame, withTemplate } from '../form/from-template.ts';
import { isBlank, type SendValues } from '../form/send-values.ts';

export interface Applied {
  /** The template of the URL, while the message is unchanged. */
  template: Template | null;
  /** The template that the message was started from: changes may be saved to it. */
  origin: Template | null;
  /** One of a list, or one that was just saved. */
  choose: (template: TemplateRow | Template | null) => void;
  /** The template of the URL when it cannot be used. */
  unusable: TemplateRow | null;
  /** Puts back what stood there before; null when there is nothing to put back. */
  undo: (() => void) | null;
}

/**
 * `/send/:template` brings a template into the form; a message that differs lets go of it. `?edit=true` brings one that
 * may not be sent from, to be mended.
 */
export function useTemplate(): Applied {
  const form = useSendForm();
  const navigate = useNavigate();
  const { template: id = '' } = useParams();
  const { data, error } = useQuery({ ...wholeTemplateQuery(id), enabled: !!id, retry: false });
  const isEdited = useSearchParams()[0].has('edit');
  const [origin, setOrigin] = useState<Template | null>(null);
  const [unusable, setUnusable] = useState<TemplateRow | null>(null);
  const [before, setBefore] = useState<{ id: string; values: SendValues } | null>(null);
  const applied = useRef<{ id: string; from: SendValues } | null>(null);
  // Letting go takes a navigation, and is done once.
  const left = useRef('');
  const show = useCallback(
    (next: TemplateRow | null) => {
      const { search } = location;
      if (next) setUnusable(null);
      void navigate(
        { pathname: next ? `/send/${next.id}` : '/send', search },
        { replace: true, preventScrollReset: true, state: { keepsFocus: true } },
      );
    },
    [navigate],
  );
  const choose = (next: TemplateRow | Template | null) => {
    setOrigin(next && 'recipient' in next ? next : null);
    show(next);
  };
  const { values } = form;
  const isEmpty = isBlank(values);

  useEffect(() => {
    if (!id && isEmpty) setOrigin(null);
  }, [id, isEmpty]);

  useEffect(() => {
    if (!id) {
      applied.current = null;
      left.current = '';
    } else if (left.current === id) {
      return;
    } else if (error && !data && !isAway(error)) {
      left.current = id;
      showError(error);
      show(null);
    } else if (data && applied.current?.id !== id && !isEdited && !isUsable(data)) {
      left.current = id;
      setUnusable(data);
      show(null);
    } else if (data && applied.current?.id !== id) {
      applied.current = { id, from: values };
      setBefore({ id, values });
      setOrigin(data);
      form.clearErrors();
      form.setValues(withTemplate(values, data));
    } else if (data && applied.current?.from !== values && !saysTheSame(values, data)) {
      left.current = id;
      show(null);
    }
  }, [id, isEdited, data, error, values, form, show]);

  const isApplied = !!id && before?.id === id;
  return {
    template: isApplied && data ? data : null,
    origin,
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
