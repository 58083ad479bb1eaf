import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { SectionForm } from './section-form.tsx';

function Story() {
  const [name, setName] = useState('Anna');
  const [bank, setBank] = useState('');
  return (
    <SectionForm
      errors={{ bank: !bank }}
      sections={[
        {
          id: 'story-contact',
          title: 'Contact',
          fields: ['name'],
          isDone: !!name,
          onClear: () => setName(''),
          content: (
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          ),
        },
        {
          id: 'story-bank',
          title: 'Bank',
          fields: ['bank'],
          isDone: !!bank,
          content: (
            <TextInput
              label="Account"
              value={bank}
              error={!bank && 'Fill in this field.'}
              onChange={(event) => setBank(event.currentTarget.value)}
            />
          ),
        },
      ]}
    />
  );
}

export const story = { title: 'Section form', Story };
