"""Writes a Llama of two layers with random weights, and a tokenizer for which each word between blanks is one token."""

import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

directory, vocabulary, context = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
special = ["<unk>", "<s>", "</s>"]
words = special + [f"w{number}" for number in range(vocabulary - len(special))]

tokenizer = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<unk>"))
tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>")
fast.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
fast.save_pretrained(directory)

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=vocabulary,
    hidden_size=64,
    intermediate_size=128,
    num_hidden_layers=2,
    num_attention_heads=2,
    num_key_value_heads=2,
    max_position_embeddings=context,
    bos_token_id=1,
    eos_token_id=2,
)
LlamaForCausalLM(config).save_pretrained(directory)
