<?php

require __DIR__ . '/heliograph-sdk/autoload.php';

$helio = new Heliograph\Heliograph(getenv('HELIOGRAPH_URL'), getenv('HELIOGRAPH_TOKEN'));

$message = $helio->sendings->create([
    'type' => 'sms',
    'recipient' => '+79990000000',
    'payload' => ['sender' => 'DEMO', 'text' => 'Your order is ready'],
]);
echo $message['id'], ' ', $message['status'], "\n";

do {
    sleep(1);
    $state = $helio->sendings->get($message['id'])['state'];
} while ($state['outcome'] === 'pending');
echo $message['id'], ' ', $state['status'], "\n";
