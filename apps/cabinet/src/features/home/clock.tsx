import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useFormats } from '../../core/use-formats.ts';

/** The time, every second; alone in its component so that nothing else is drawn again. */
export function Clock() {
  const formats = useFormats();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  const time = formats.time(now.toISOString());
  return (
    <Text span inherit c="dimmed" className="numeric">
      <time dateTime={time}>{time}</time>
    </Text>
  );
}
