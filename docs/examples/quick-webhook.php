<?php

require __DIR__ . '/heliograph-sdk/autoload.php';

// As it was received, not parsed and written again.
$body = file_get_contents('php://input');
try {
    $event = Heliograph\Webhooks::verify($body, getallheaders(), getenv('HELIOGRAPH_WEBHOOK_SECRET'));
    $data = $event['data'];
    error_log("genuine $event[type] $data[id] $data[status]");
} catch (Heliograph\InvalidSignature $error) {
    error_log('refused ' . $error->getMessage());
    http_response_code(400);
}
