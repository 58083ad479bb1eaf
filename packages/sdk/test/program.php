<?php

// Run against an installation in a folder that has the unpacked package.
declare(strict_types=1);

use Heliograph\{ApiError, Codes, Heliograph, InvalidSignature, NoAnswer, Webhooks};

require __DIR__ . '/autoload.php';

[, $url, $losing, $token, $secret] = $argv;
$helio = new Heliograph($url, fn () => $token);
$that = function (bool $holds, mixed $shown = null): void {
    if (!$holds) {
        throw new LogicException(json_encode($shown, JSON_PARTIAL_OUTPUT_ON_ERROR));
    }
};

$message = [
    'type' => 'sms',
    'recipient' => '+79990000000',
    'payload' => ['sender' => 'MIRTEA', 'text' => 'Hello'],
];
// The answer is lost on its way.
$sent = (new Heliograph($losing, $token))->sendings->create($message);
$that($helio->sendings->get($sent['id'])['payload']['text'] === 'Hello');
$statuses = ['pending', 'processing', 'sent', 'delivered'];
$page = $helio->sendings->find(['recipient' => '79990000000', 'status' => $statuses]);
$that(array_column($page['data'], 'id') === [$sent['id']], $page);

$list = $helio->contactLists->create(['title' => 'Customers', 'type' => 'regular']);
$table = "phone,first name\n+79990000001,Anna\n+79990000002,Борис\n";
$file = $helio->storage->create(['name' => 'people "new".csv', 'data' => $table]);
$report = $helio->contacts->import(['ListId' => $list['id'], 'from' => ['key' => $file['key']]]);
$that($report['total'] === 2, $report);
$names = [];
foreach ($helio->contacts->all(['ListId' => $list['id'], '$limit' => 1]) as $contact) {
    $names[] = $contact['firstName'];
}
sort($names);
$that($names === ['Anna', 'Борис'], $names);

try {
    $helio->contactLists->create(['title' => '', 'type' => 'regular']);
    $that(false);
} catch (ApiError $refused) {
    $that([$refused->status, $refused->errorCode] === [422, 'validation'], $refused->body);
    $that(str_ends_with($refused->docs, '/documentation/api/errors/validation'));
    $that($refused->fields[0]['field'] === 'title');
    $that(str_contains((string) $refused, 'title: ') && str_contains((string) $refused, "\nvalidation http"));
    $that($refused->requestId !== '');
}

$unknown = Codes::confirm($helio, '01930000-0000-7000-8000-0000000000a1', '+79990000000');
$that($unknown === 'SessionNotFoundException', $unknown);

try {
    (new Heliograph('http://127.0.0.1:9', attempts: 1))->contactLists->find();
    $that(false);
} catch (NoAnswer) {
}

$body = '{"text":"Чай"}';
$headers = Webhooks::sign($body, $secret, 'msg_1');
$that(Webhooks::verify($body, array_change_key_case($headers, CASE_UPPER), $secret) === ['text' => 'Чай']);
foreach ([[], ['webhook-timestamp' => '1'] + $headers, ['webhook-id' => 'msg_2'] + $headers] as $given) {
    try {
        Webhooks::verify($body, $given, $secret);
        $that(false, $given);
    } catch (InvalidSignature) {
    }
}
echo 'done ', $headers['webhook-timestamp'], ' ', $headers['webhook-signature'], "\n";
