import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The time, every second; alone in its component so that nothing else is drawn again. */
export function Clock() {
  const { i18n } = useTranslation();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  const time = now.toLocaleTimeString(i18n.language, { hourCycle: 'h23' });
  return (
    <Text span inherit c="dimmed" className="numeric">
      <time dateTime={time}>{time}</time>
    </Text>
  );
}
