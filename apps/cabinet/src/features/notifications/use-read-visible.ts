import type { Notification } from '@heliograph/contract';
import { useEffect, useState } from 'react';
import { markRead } from './notifications.api.ts';

const EVERY_MS = 100;

/** Marks visible notifications as read: one call each 100 ms; a failed one is retried when the row is visible again. */
export function useReadVisible(rows: Notification[]): void {
  const [marked] = useState(() => new Set<string>());
  const unread = rows.filter((row) => !row.isRead).map((row) => row.id);
  const key = unread.join();
  useEffect(() => {
    const ids = key ? key.split(',') : [];
    if (!ids.length) return;
    const queue: string[] = [];
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          const id = (target as HTMLElement).dataset.row!;
          if (!isIntersecting || marked.has(id)) continue;
          marked.add(id);
          queue.push(id);
        }
      },
      { threshold: 0.9 },
    );
    // Rows are drawn after the page, and again when the table becomes cards.
    const watch = () => {
      for (const id of ids) {
        for (const element of document.querySelectorAll(`[data-row="${id}"]`))
          observer.observe(element);
      }
    };
    const timer = setInterval(() => {
      watch();
      const id = document.hidden ? undefined : queue.shift();
      if (id) markRead(id).catch(() => marked.delete(id));
    }, EVERY_MS);
    return () => {
      observer.disconnect();
      clearInterval(timer);
      for (const id of queue) marked.delete(id);
    };
  }, [key, marked]);
}
