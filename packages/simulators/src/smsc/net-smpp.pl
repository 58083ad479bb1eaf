#!/usr/bin/perl
# An SMSC of Perl's Net::SMPP for one connection: accepts every submit, and sends a receipt and then a message for it.
# Prints its port, and a line for each PDU it gets.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34, timeout => 60)
  or die "No listener: $!";
print 'port ', $listener->sockport, "\n";
my $esme = $listener->accept or die "No connection: $!";

my $id = 0xfe;
while (my $pdu = $esme->read_pdu()) {
  my %by_sequence = (seq => $pdu->{seq});
  my $command = Net::SMPP::pdu_tab->{ $pdu->{cmd} }{cmd};
  print "$command $pdu->{status} ", unpack('H*', $pdu->{data}), "\n";
  if ($command eq 'bind_transceiver') {
    $esme->bind_transceiver_resp(system_id => 'perl', %by_sequence);
  } elsif ($command eq 'enquire_link') {
    $esme->enquire_link_resp(%by_sequence);
  } elsif ($command eq 'submit_sm') {
    my $message_id = sprintf '%X', ++$id;
    $esme->submit_sm_resp(message_id => $message_id, %by_sequence);
    my %way = (
      source_addr_ton => 1, source_addr_npi => 1, source_addr => $pdu->{destination_addr},
      dest_addr_ton => 5, dest_addr_npi => 0, destination_addr => $pdu->{source_addr},
      async => 1,
    );
    $esme->deliver_sm(
      %way,
      esm_class => 0x04,
      short_message => "id:$id sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:",
      receipted_message_id => "$message_id\0",
      message_state => pack('C', 2),
    );
    $esme->deliver_sm(
      %way,
      esm_class => $pdu->{esm_class},
      data_coding => $pdu->{data_coding},
      short_message => $pdu->{short_message},
    );
  } elsif ($command eq 'unbind') {
    $esme->unbind_resp(%by_sequence);
    last;
  }
}
