<?php

require __DIR__ . '/heliograph-sdk/autoload.php';

$helio = new Heliograph\Heliograph(getenv('HELIOGRAPH_URL'), getenv('HELIOGRAPH_TOKEN'));
$phone = '+79990000000';

$session = $helio->otpHandler->create([
    'widgetId' => getenv('HELIOGRAPH_WIDGET'),
    'recipient' => $phone,
]);
echo "a code was sent to $phone\n";

while (($line = fgets(STDIN)) !== false) {
    try {
        $helio->otpHandler->checkCode($session['requestId'], ['code' => trim($line)]);
        break;
    } catch (Heliograph\ApiError $error) {
        echo $error->errorCode, ' ', $error->docs, "\n";
        if ($error->errorCode !== 'InvalidCodeException') {
            break;
        }
    }
}

$refusal = Heliograph\Codes::confirm($helio, $session['requestId'], $phone);
echo $refusal ?? 'confirmed', "\n";
