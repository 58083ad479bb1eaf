import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { StepperDialog } from './stepper-dialog.tsx';

function Story() {
  const [opened, setOpened] = useState(false);
  const [payer, setPayer] = useState<string | null>(null);
  const close = () => {
    setOpened(false);
    setPayer(null);
  };
  return (
    <>
      <Group>
        <Button onClick={() => setOpened(true)}>Top up</Button>
      </Group>
      <StepperDialog
        opened={opened}
        title="Top up"
        step={payer ? 1 : 0}
        onBack={() => setPayer(null)}
        onClose={close}
        steps={[
          {
            title: 'Who pays?',
            content: (
              <Group>
                <Button onClick={() => setPayer('A person')}>A person</Button>
                <Button onClick={() => setPayer('A company')}>A company</Button>
              </Group>
            ),
          },
          {
            title: 'Payment',
            content: <Text>{payer} pays.</Text>,
            confirm: <Button onClick={close}>Pay</Button>,
          },
        ]}
      />
    </>
  );
}

export const story = { title: 'Stepper dialog', Story };
