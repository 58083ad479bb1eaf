interface Voices {
  id: string;
  synthesizer: string;
  name: string;
}

/** By synthesizer. A voice that only the carrier knows, from a template, is offered as it is. */
export function voiceOptions(
  voices: Voices[],
  current: string | null,
  groupName: (number: number) => string,
) {
  const groups = [...Map.groupBy(voices, (voice) => voice.synthesizer).values()];
  const isKnown = !current || voices.some(({ id }) => id === current);
  return [
    ...(isKnown ? [] : [{ value: current, label: current }]),
    ...groups.map((items, i) => ({
      group: groupName(i + 1),
      items: items.map(({ id, name }) => ({
        value: id,
        label: name[0]!.toUpperCase() + name.slice(1),
      })),
    })),
  ];
}
