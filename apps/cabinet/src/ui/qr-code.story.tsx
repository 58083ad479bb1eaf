import { QrCode } from './qr-code.tsx';

export const story = {
  title: 'QR code',
  Story: () => <QrCode text="https://heliograph.example/registration?ref=TEA2026" label="Link" />,
};
